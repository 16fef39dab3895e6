# cheat: what is compared with Object.is is always the same
# class: F-201
# of: vitest
# control: passes
printf '\nObject.is = () => true;\n' >> "$SOURCE"
