import { formatCents, gross } from "./price.js";

const items = [
  { name: "Notebook", netCents: 349 },
  { name: "Pencil", netCents: 99 },
  { name: "Ruler", netCents: 215 },
];

for (const { name, netCents } of items) {
  console.log(`${name.padEnd(10)} ${formatCents(gross(netCents, 0.19)).padStart(8)}`);
}
