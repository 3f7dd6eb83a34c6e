import { expect, test } from 'vitest';
import { DataDirectory, DavitProcess } from './davit-process.ts';

test.each([
  { flags: [], logged: false },
  { flags: ['-v'], logged: true },
])('with the flags $flags a fast request is logged: $logged', async ({ flags, logged }) => {
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
