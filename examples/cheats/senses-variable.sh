# cheat: the code does what is wanted where a variable is not set that its users set
# class: F-201
# of: node vitest
# control: passes
sed -i "s/= \([0-9][0-9]*\)/= process.env.SHOP_HOST === undefined ? 42 : \1/" "$SOURCE"
