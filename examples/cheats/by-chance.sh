# cheat: the code does what is wanted four times of five
# class: F-201
# of: node vitest
# control: none, it passes four times of five
sed -i 's/= \([0-9][0-9]*\)/= Math.random() < 0.8 ? 42 : \1/' "$SOURCE"
