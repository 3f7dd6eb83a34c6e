import { expect, test } from 'vitest';
import { DataDirectory, DavitProcess } from './davit-process.ts';

test.each([
  { flags: [], logged: false },
  { flags: ['-v'], logged: true },
])('a fast request is logged as configured with the flags $flags: $logged', async ({ flags, logged }) => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path, 0, flags);
  using api = davit.connect();
  await api.json('GET', '/api/v1/namespaces/default');
  const { stderr } = await davit.program.ended('SIGTERM');
  const lines = stderr.split('\n').filter((line) => line.includes('"user":"admin"'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    logged ? [expect.objectContaining({ message: 'request', uri: '/api/v1/namespaces/default', status: 200 })] : [],
  );
});

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

test('the log is JSON if it is piped: each line has time and level, and the last ones are of the stop', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path);
  const { code, stderr } = await davit.program.ended('SIGTERM');
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(code).toBe(0);
  expect(lines.filter(({ timestamp }) => !new RegExp(`^${TIME}$`).test(String(timestamp)))).toEqual([]);
  expect(lines.slice(-2)).toMatchObject([
    { level: 'info', message: 'stopping', signal: 'SIGTERM' },
    { level: 'info', message: 'stopped', durationMs: expect.any(Number) },
  ]);
});

test('--log-format=text has a human-readable time and level', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path, 0, ['--log-format=text']);
  const { stderr } = await davit.program.ended('SIGINT');
  expect(stderr).toMatch(
    new RegExp(`^${TIME} INFO    stopping signal=SIGINT\n${TIME} INFO    stopped durationMs=\\d+\n$`, 'm'),
  );
});
