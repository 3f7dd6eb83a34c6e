import { readFile } from 'node:fs/promises';
import { unlessMissing } from './nft.ts';
import { runTool } from './run-tool.ts';

/** The chain of kube-proxy in the modes iptables and ipvs. */
const CHAIN = 'KUBE-SERVICES';
const FAMILIES = [
  { family: 'ip', legacy: 'iptables-legacy', names: '/proc/net/ip_tables_names' },
  { family: 'ip6', legacy: 'ip6tables-legacy', names: '/proc/net/ip6_tables_names' },
] as const;

/** The names of all nftables tables, such as `ip davit-service-proxy`. Rejects with an Error if they cannot be listed. */
export async function nftTables(): Promise<readonly string[]> {
  const lines = (await unlessMissing(['list', 'tables'])) ?? '';
  return lines.split('\n').flatMap((line) => /^table (\S+ \S+)$/.exec(line.trim())?.[1] ?? []);
}

/**
 * Finds the rules of other Service proxies on this host. Returns one text for each location. Rejects with an Error if the rules cannot be
 * listed.
 */
export async function otherProxies(tables: readonly string[]): Promise<string[]> {
  const found = FAMILIES.map(({ family }) => `${family} kube-proxy`).filter((table) => tables.includes(table));
  const places = found.map((table) => `the table ${table} of nftables`);
  for (const { family, legacy, names } of FAMILIES) {
    if (
      tables.includes(`${family} nat`) &&
      (await unlessMissing(['list', 'chain', family, 'nat', CHAIN])) !== undefined
    )
      places.push(`the chain ${CHAIN} of ${family === 'ip' ? 'iptables' : 'ip6tables'}`);
    else if (await hasLegacyChain(legacy, names)) places.push(`the chain ${CHAIN} of ${legacy}`);
  }
  return places;
}

/** Checks the kernel's list of legacy iptables tables first, because the iptables program would create them. */
async function hasLegacyChain(program: string, names: string): Promise<boolean> {
  const tables = await readFile(names, 'utf8').catch(() => ''); // a kernel without legacy iptables
  if (!tables.split('\n').includes('nat')) return false;
  const rules = await runTool(program, ['-w', '5', '-t', 'nat', '-S', CHAIN], '').catch(() => ''); // the chain does not exist
  return rules !== '';
}
