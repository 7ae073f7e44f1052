import pg from 'pg';
import { postgresUrl } from './connection.js';

const socket = {
  host: '/Home/of me/run',
  port: 5432,
  user: 'postgres',
  password: 'a/b:c@d#e',
  database: 'agentflow',
};

test('A URL leads pg back to the same connection, whatever the path and the password contain', () => {
  const { host, port, user, password, database } = new pg.Client(postgresUrl(socket));
  expect({ host, port, user, password, database }).toEqual(socket);
});

test('A URL can be pointed at another database by the standard URL class', () => {
  const url = new URL(postgresUrl(socket));
  url.pathname = '/another';
  expect(new pg.Client(url.href)).toMatchObject({ host: socket.host, database: 'another' });
});
