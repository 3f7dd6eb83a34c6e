import { afterEach, expect, test, vi } from 'vitest';
import { agentLog } from './log.ts';

afterEach(() => vi.restoreAllMocks());

test.each([
  [0, ['INFO    joined', 'ERROR   cannot renew the lease: connection refused']],
  [2, ['INFO    joined', 'DEBUG   step', 'ERROR   cannot renew the lease: connection refused']],
])('an agent with --v=%i logs %j, each with its time', (verbosity, entries) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const log = agentLog({ verbosity, logFormat: 'text' });
  log.info('joined');
  log.debug('step');
  log.fault('cannot renew the lease')(new Error('connection refused'));
  const lines = printed.mock.calls.map(([line]) => String(line));
  expect(lines.map((line) => line.replace(/^\S+Z /, ''))).toEqual(entries);
  expect(lines.filter((line) => Number.isNaN(Date.parse(line.split(' ')[0] ?? '')))).toEqual([]);
});
