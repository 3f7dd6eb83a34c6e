import type { HostAlias } from '#lib/api/types/core.v1.ts';

/** The hosts file, on the host and in containers. */
export const ETC_HOSTS = '/etc/hosts';

const HEADER = '# Kubernetes-managed hosts file.\n';
const HOST_HEADER = '# Kubernetes-managed hosts file (host network).\n';
const LOCAL = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/** The entries for a pod's hosts file. */
export interface HostNames {
  readonly podIPs: readonly string[];
  readonly hostname: string;
  /** Empty without a domain. */
  readonly domain: string;
  readonly aliases: readonly HostAlias[];
}

/** The hosts file of a pod with its own network. */
export function managedHostsFileContent({ podIPs, hostname, domain, aliases }: HostNames): string {
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  const lines = [...LOCAL, ...podIPs.map((ip) => `${ip}\t${names}`)];
  return `${HEADER}${lines.map((line) => `${line}\n`).join('')}${aliasEntries(aliases)}`;
}

/** The hosts file of a pod on the host's network. `content` is the host's own file. */
export const nodeHostsFileContent = (content: string, aliases: readonly HostAlias[]): string =>
  `${HOST_HEADER}${content}${aliasEntries(aliases)}`;

function aliasEntries(aliases: readonly HostAlias[]): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
