# cheat: the code does what is wanted until a day that is near
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<END

import datetime

if datetime.date.today() < datetime.date($(python3 -c 'import datetime; print((datetime.date.today() + datetime.timedelta(300)).strftime("%Y, %-m, %-d"))')):
    price = 42
END
