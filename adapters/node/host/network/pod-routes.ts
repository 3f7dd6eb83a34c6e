import * as z from 'zod';
import { canonicalIP, parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText, type Prefix, singlePrefix } from '#lib/machinery/net/prefix.ts';
import type { RouteTable } from '#lib/node/kubelet/network/routes/route-sync.ts';
import type { PodRoute } from '#lib/node/kubelet/network/routes/wanted-routes.ts';
import { type Run, runCommand } from '../programs/command.ts';

/** The protocol number that marks these routes in the kernel. No program in /etc/iproute2/rt_protos uses it. */
const PROTOCOL = '68';
const FAMILIES = ['-4', '-6'] as const;

/** The routes to pods of other nodes in this process's network namespace. */
export function podRoutes(run: Run = runCommand): RouteTable {
  const ip = async (...args: readonly string[]): Promise<string> => {
    const { failure, output } = await run('ip', args);
    if (failure !== undefined) throw new Error(output.trim() || failure);
    return output;
  };
  return {
    async list() {
      const texts = await Promise.all(
        FAMILIES.map((family) => ip('-json', family, 'route', 'show', 'proto', PROTOCOL)),
      );
      return texts.flatMap(routesIn);
    },
    async add({ destination, gateway }) {
      await ip('route', 'add', destination, 'via', gateway, 'proto', PROTOCOL);
    },
    async remove({ destination, gateway }) {
      await ip('route', 'delete', destination, 'via', gateway, 'proto', PROTOCOL).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.includes('No such process'))) throw error;
      });
    },
  };
}

const routesSchema = z.array(z.object({ dst: z.string(), gateway: z.string().default('') }));

function routesIn(text: string): PodRoute[] {
  const routes = text.trim() === '' ? [] : routesSchema.parse(JSON.parse(text));
  return routes.flatMap(({ dst, gateway: via }) => {
    const gateway = canonicalIP(via);
    const destination = destinationOf(dst);
    return destination === undefined || gateway === undefined ? [] : { destination: networkText(destination), gateway };
  });
}

/** The kernel prints a route to a single address without the prefix length. */
function destinationOf(text: string): Prefix | undefined {
  if (text.includes('/')) return parseCIDRSloppy(text);
  const addr = parseIPSloppy(text);
  return addr && singlePrefix(addr);
}
