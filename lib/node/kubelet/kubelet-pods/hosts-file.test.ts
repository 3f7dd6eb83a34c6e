import { expect, test } from 'vitest';
import { managedHostsFileContent, nodeHostsFileContent } from './hosts-file.ts';

const LOCAL = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;
const aliases = [
  { ip: '123.45.67.89', hostnames: ['foo', 'bar', 'baz'] },
  { ip: '456.78.90.123', hostnames: ['park', 'doo', 'boo'] },
];
const ALIASES = `
# Entries added by HostAliases.
123.45.67.89\tfoo\tbar\tbaz
456.78.90.123\tpark\tdoo\tboo
`;

test.each([
  [['203.0.113.1'], '', [], '203.0.113.1\tpodFoo\n'],
  [['203.0.113.1'], 'domainFoo', [], '203.0.113.1\tpodFoo.domainFoo\tpodFoo\n'],
  [['203.0.113.1', 'fd00::6'], '', aliases, `203.0.113.1\tpodFoo\nfd00::6\tpodFoo\n${ALIASES}`],
  [['203.0.113.1', 'fd00::6'], 'd', [], '203.0.113.1\tpodFoo.d\tpodFoo\nfd00::6\tpodFoo.d\tpodFoo\n'],
])('writes the hosts file of a pod with addresses %j and domain %j', (podIPs, domain, given, rest) => {
  expect(managedHostsFileContent({ podIPs, hostname: 'podFoo', domain, aliases: given })).toBe(`${LOCAL}${rest}`);
});

test("copies the host's file for a pod on the host's network and adds the pod's aliases", () => {
  const host = '# hosts file for testing.\n127.0.0.1\tlocalhost\n';
  const head = '# Kubernetes-managed hosts file (host network).\n';
  expect(nodeHostsFileContent(host, [])).toBe(`${head}${host}`);
  expect(nodeHostsFileContent(host, aliases)).toBe(`${head}${host}${ALIASES}`);
});
