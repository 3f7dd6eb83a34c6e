import { expect, test } from 'vitest';
import { confListFromConf, networkConfFromBytes, networkOfEither, pluginConfFromBytes } from './conf.ts';

const LIST = 'error parsing configuration list:';
const read = (conf: unknown) => networkConfFromBytes(Buffer.from(JSON.stringify(conf)));
const PLUGINS = [{ type: 'bridge', capabilities: { mac: true, ips: false } }];

test.each<[conf: unknown, message: string]>([
  [{}, `${LIST} no name`],
  [[], `${LIST} json: cannot unmarshal array into Go value of type map[string]interface {}`],
  [{ name: 1 }, `${LIST} invalid name type float64`],
  [{ name: 'a', loadOnlyInlinedPlugins: true }, `${LIST} \`loadOnlyInlinedPlugins\` is true, and no 'plugins' key`],
  [{ name: 'a', plugins: {} }, `${LIST} invalid 'plugins' type map[string]interface {}`],
  [{ name: 'a', plugins: [] }, `${LIST} no plugins in list`],
  [{ name: 'a', plugins: [{}] }, "failed to parse plugin config 0: error parsing configuration: missing 'type'"],
  [
    { name: 'a', plugins: [{ type: 1 }] },
    'failed to parse plugin config 0: error parsing configuration: json: cannot unmarshal number into Go struct field PluginConf.type of type string',
  ],
  [
    { name: 'a', cniVersions: ['x'] },
    `${LIST} invalid cniVersions entry x at index 0: failed to convert major version part "x": strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    { name: 'a', cniVersions: ['1.0.0.0'] },
    `${LIST} invalid cniVersions entry 1.0.0.0 at index 0: invalid version "1.0.0.0": too many parts`,
  ],
  [{ name: 'a', cniVersions: [1] }, `${LIST} invalid type for cniVersions index 0: float64`],
  [
    { name: 'a', cniVersion: 'q', cniVersions: ['1.0.0'] },
    `${LIST} invalid cniVersion q: failed to convert major version part "q": strconv.Atoi: parsing "q": invalid syntax`,
  ],
  [{ name: 'a', cniVersion: 1 }, `${LIST} invalid cniVersion type float64`],
  [{ name: 'a', disableGC: 'maybe' }, `${LIST} invalid value "maybe" for disableGC`],
  [{ name: 'a', disableGC: 1 }, `${LIST} invalid type float64 for disableGC`],
])('rejects %j with the same message as libcni', (conf, message) => {
  expect(() => read(conf)).toThrow(message);
});

test.each<[conf: object, expected: object]>([
  [{ cniVersion: '0.3.1', plugins: PLUGINS }, { cniVersion: '0.3.1' }],
  [{ plugins: PLUGINS }, { cniVersion: '', disableCheck: false, disableGC: false, loadOnlyInlinedPlugins: false }],
  [{ cniVersion: '0.3.1', cniVersions: ['1.0.0', '1.2.0', '0.4.0'], plugins: PLUGINS }, { cniVersion: '1.0.0' }],
  [
    { cniVersion: '7.0', cniVersions: ['8.0.0'] },
    { cniVersion: '7.0', plugins: [] },
  ],
  [
    { disableCheck: 'TRUE', disableGC: true },
    { disableCheck: true, disableGC: true },
  ],
  [{ loadOnlyInlinedPlugins: true, plugins: PLUGINS }, { loadOnlyInlinedPlugins: true }],
])('parses %j', (conf, expected) => {
  expect(read({ name: 'a', ...conf })).toMatchObject({ name: 'a', ...expected });
});

test('passes to a plugin only the capabilities that it declares', () => {
  expect(read({ name: 'a', plugins: PLUGINS }).plugins).toMatchObject([{ type: 'bridge', capabilities: ['mac'] }]);
});

test('converts one plugin to a list and keeps the bytes for the cache', () => {
  const bytes = Buffer.from('{ "name":"b", "cniVersion":"0.2.0", "type":"ptp" }');
  const list = confListFromConf(pluginConfFromBytes(bytes));
  expect(Buffer.from(list.bytes).toString()).toBe(
    '{"cniVersion":"0.2.0","name":"b","plugins":[{"cniVersion":"0.2.0","name":"b","type":"ptp"}]}',
  );
  const expected = { name: 'b', cniVersion: '0.2.0', plugins: [{ type: 'ptp' }] };
  expect(list).toMatchObject(expected);
  expect(networkOfEither(bytes)).toMatchObject({ ...expected, bytes });
});
