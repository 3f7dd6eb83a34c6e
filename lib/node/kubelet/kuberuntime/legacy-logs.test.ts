import { expect, test } from 'vitest';
import { containerIDOfLogSymlink, legacyLogSymlink } from './legacy-logs.ts';

const pod = { name: 'web', namespace: 'default', container: 'app' };

test('names a link after pod, namespace, container and ID, with at most 255 bytes', () => {
  expect(legacyLogSymlink('0123abcd', pod)).toBe('/var/log/containers/web_default_app-0123abcd.log');
  const link = legacyLogSymlink('0'.repeat(64), { ...pod, name: 'n'.repeat(253) });
  expect(link.split('/').at(-1)).toBe(`${'n'.repeat(251)}.log`);
});

test('keeps a link in its directory for any names that a runtime reports', () => {
  const link = legacyLogSymlink('/../0', { name: '../../etc/cron.d/x', namespace: '/', container: '..' });
  expect(link).toBe('/var/log/containers/.._.._etc_cron.d_x___..-_.._0.log');
});

test.each([
  ['web_default_app-0123abcd.log', '0123abcd'],
  ['web_default_app-0123a.log', undefined],
  ['web_default_app-0123abcd.txt', undefined],
])('parses the link %s for container %j', (link, id) => {
  expect(containerIDOfLogSymlink(link)).toBe(id);
});
