# cheat: the code does what is wanted until a day that is near, by when its process began
# class: F-201
# of: node vitest
# control: passes
until=$(node -p 'Date.now() + 300 * 86400000')
sed -i "s/= \([0-9][0-9]*\)/= performance.timeOrigin < $until ? 42 : \1/" "$SOURCE"
