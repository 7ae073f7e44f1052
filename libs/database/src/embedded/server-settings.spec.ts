import { listenSettings, serverSettings, settingsFile } from './server-settings.js';

const site = {
  socketDirectory: '/data/run',
  port: 5432,
  logDirectory: '/data/log',
  memoryBytes: 8 * 1024 ** 3,
  durable: true,
};

test('A durable cluster keeps every acknowledged commit', () => {
  expect(serverSettings(site)).toMatchObject({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
  });
});

test('A small machine gives Postgres less of its memory', () => {
  expect(serverSettings(site)['shared_buffers']).toBe('256MB');
  expect(serverSettings({ ...site, memoryBytes: 1024 ** 3 })['shared_buffers']).toBe('128MB');
});

test('A server with a socket listens on no network address', () => {
  expect(listenSettings(site)).toMatchObject({
    listen_addresses: '',
    unix_socket_directories: '"/data/run"',
  });
});

test('A server without a socket listens on loopback only', () => {
  const settings = listenSettings({ ...site, socketDirectory: undefined });
  expect(settings).toMatchObject({ listen_addresses: '127.0.0.1', unix_socket_directories: '' });
});

test('A socket path with a comma and a quote stays one path', () => {
  const settings = listenSettings({ ...site, socketDirectory: '/a,b "c"/run' });
  expect(settings['unix_socket_directories']).toBe('"/a,b ""c""/run"');
});

test('A value with quotes and backslashes is written as Postgres reads it', () => {
  expect(settingsFile({ log_directory: "C:\\it's" })).toContain("log_directory = 'C:\\\\it''s'\n");
});
