import { expect, test } from 'vitest';
import { containerLogPath, podLogsDirectory, podUIDOfLogsDirectory, restartCountOfLogs } from './log-paths.ts';

test('finds the pod in the name of its log directory', () => {
  expect(podLogsDirectory('/var/log/pods', 'shop', 'web', 'u-1')).toBe('/var/log/pods/shop_web_u-1');
  expect(podUIDOfLogsDirectory('shop_web_u-1')).toBe('u-1');
  expect(podUIDOfLogsDirectory('u-1')).toBe('u-1');
  expect(containerLogPath('app', 2)).toBe('app/2.log');
});

test.each([
  [[], 0],
  [['foo.log'], 0],
  [['0.log'], 1],
  [['0.log', '1.log', '2.log'], 3],
  [['10.log', '9.log', 'x.log'], 11],
  [['3.log.20200309-130000.gz', '2.log.tmp'], 4],
  [['99999999999999999999.log', '1.log'], 2],
])('continues after the logs %j with the restart count %i', (files, expected) => {
  expect(restartCountOfLogs(files)).toBe(expected);
});
