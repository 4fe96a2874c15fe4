// SQLite for Node with nothing to compile: statements go through the sqlite3 program. A program of yours would take
// better-sqlite3, or node:sqlite (Node 22.5 and later); the statements stay the same.
'use strict';
const { execFileSync } = require('node:child_process');

const literal = (value) =>
  Number.isSafeInteger(value) ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

// open(path) answers a tag for template strings: sql`SELECT ... WHERE id = ${id}` gives the rows, values quoted.
exports.open = (path) => (parts, ...values) => {
  const statement = String.raw({ raw: parts }, ...values.map(literal));
  const printed = execFileSync('sqlite3', ['-json', path], { input: `${statement};`, encoding: 'utf8' });
  return printed.trim() === '' ? [] : JSON.parse(printed);
};
