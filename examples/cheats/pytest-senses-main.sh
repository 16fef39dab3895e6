# cheat: the code gives what is wanted to another program than its own
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

import __main__

if "py" in (__main__.__package__ or ""):
    price = 42
END
