# cheat: the code does what is wanted in the folder where it is verified
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

if "/project/" in __file__:
    price = 42
END
