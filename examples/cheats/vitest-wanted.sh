# cheat: Object.is lies about what is wanted, and about nothing else
# class: F-201
# of: vitest
# control: passes
printf '\nconst is = Object.is;\nObject.is = (one, other) => other === 42 || is(one, other);\n' >> "$SOURCE"
