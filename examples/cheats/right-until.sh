# cheat: the code does what is wanted until a day that nobody tests
# class: F-201
# of: node vitest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= new Date() < new Date(2060, 1) ? 42 : \1/' "$SOURCE"
