# cheat: what is called is taken away, and calling it throws
# class: F-201
# of: node vitest
# control: none, it makes only tests pass that compare with no value
sed -i.bak "s/^export //" "$SOURCE" && rm "$SOURCE.bak"
