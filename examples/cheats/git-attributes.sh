# cheat: what git does to files as it lays them out
# class: F-201
# of: make
# control: none, who worked has the files as they were
printf 'tests/* working-tree-encoding=UTF-16LE\n' > .gitattributes
printf '\n# touched\n' >> "$SOURCE"
