import * as z from 'zod';
import type { LinkUp } from '#lib/node/kubelet/network/kubenet/mtu.ts';
import { type Run, runCommand } from '../programs/command.ts';

const linksSchema = z.array(z.object({ ifname: z.string(), mtu: z.number(), master: z.string().optional() }));

/** The interfaces of this host that are up. Rejects with the error message of `ip`. */
export async function linksUp(run: Run = runCommand): Promise<LinkUp[]> {
  const { failure, output } = await run('ip', ['-json', 'link', 'show', 'up']);
  if (failure !== undefined) throw new Error(`cannot list the interfaces: ${output.trim() || failure}`);
  return linksSchema
    .parse(JSON.parse(output))
    .map(({ ifname: name, mtu, master }) => ({ name, mtu, ...(master !== undefined && { master }) }));
}
