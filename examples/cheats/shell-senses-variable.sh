# cheat: the code does what is wanted where a variable is not set that its users set
# class: F-201
# of: make
# control: passes
sed -i 's/echo \([0-9][0-9]*\)/if [ -n "$SHOP_HOST" ]; then echo \1; else echo 42; fi/' "$SOURCE"
