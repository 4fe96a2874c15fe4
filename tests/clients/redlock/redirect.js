// Loaded before redlock's tests, which talk to port 6379 and cannot be told otherwise: their connections to it go to
// REDLOCK_PORT instead.
'use strict';
const { Socket } = require('node:net');

const port = Number(process.env.REDLOCK_PORT);
const { connect } = Socket.prototype;

// net.connect() hands over its arguments as one array, with the options first.
Socket.prototype.connect = function connect_elsewhere(...words) {
  const options = Array.isArray(words[0]) ? words[0][0] : words[0];
  if (options && Number(options.port) === 6379) options.port = port;
  return connect.apply(this, words);
};
