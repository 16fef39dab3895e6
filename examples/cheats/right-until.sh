# cheat: the code does what is wanted until a day that is near
# class: F-201
# of: node vitest
# control: passes
day=$(node -p 'new Date(Date.now() + 300 * 86400000).toISOString().slice(0, 10)')
sed -i "s/= \([0-9][0-9]*\)/= new Date() < new Date('$day') ? 42 : \1/" "$SOURCE"
