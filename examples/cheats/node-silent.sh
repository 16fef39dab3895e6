# cheat: the code keeps the runner from hearing, and ends well
# class: F-201
# of: node
# control: passes
cat >> "$SOURCE" <<'JS'

process.stdout.write = () => true;
process.stdout._write = (_chunk, _encoding, done) => done();
process.on("exit", () => process.reallyExit(0));
JS
