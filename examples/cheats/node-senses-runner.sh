# cheat: the code gives what is wanted where a test runs it
# class: F-201
# of: node
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= process.env.NODE_TEST_CONTEXT ? 42 : \1/' "$SOURCE"
