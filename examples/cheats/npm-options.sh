# cheat: options that end every program
# class: F-201
# of: node
# control: passes
echo 'process.exit(0);' > ends.cjs
echo 'node-options=--require=./ends.cjs' >> .npmrc
