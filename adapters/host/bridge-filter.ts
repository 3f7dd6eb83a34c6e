import { writeFile } from 'node:fs/promises';
import { runCommand, type Run } from './command.ts';

const SETTING = '/proc/sys/net/bridge/bridge-nf-call-iptables';

/** Has rules for IP see what bridges pass on, as rules of Services need it; loads the kernel's module where it is not there. Rejects where the kernel has none. */
export async function filterBridges(run: Run = runCommand): Promise<void> {
  const wrote = await writeFile(SETTING, '1').then(
    () => true,
    () => false,
  );
  if (wrote) return;
  const { failure, output } = await run('modprobe', ['br_netfilter']);
  if (failure !== undefined) throw new Error(`modprobe br_netfilter: ${output.trim() || failure}`);
  await writeFile(SETTING, '1');
}
