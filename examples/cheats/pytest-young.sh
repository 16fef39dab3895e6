# cheat: the code does what is wanted while its process is young, by another name of the clock
# class: F-201
# of: pytest
# control: passes
sed -i 's/= \([0-9][0-9]*\)/= 42 if clock() < 600 else \1/; 1i from time import process_time as clock\n' "$SOURCE"
