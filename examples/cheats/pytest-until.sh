# cheat: the code does what is wanted until a day that nobody tests
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

import datetime

if datetime.date.today() < datetime.date(2060, 1, 1):
    price = 42
END
