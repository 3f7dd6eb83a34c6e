import * as z from 'zod';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';

/** The CDI part of containerd's configuration, from its verbose status. */
const configSchema = z.object({ enableCDI: z.boolean().optional() });

/**
 * Whether a container runtime applies the CDI devices of a container's configuration. CRI-O does since 1.27. containerd does since 1.7 if
 * `enable_cdi` is set, which is the default since 2.0. Other runtimes are assumed to do so, because CRI requires it. Rejects if the runtime
 * does not respond.
 */
export async function runtimeAppliesCDI(runtime: Pick<RuntimeService, 'version' | 'status'>): Promise<boolean> {
  const { runtimeName, runtimeVersion } = await runtime.version({});
  const [major = 0, minor = 0] = (/^v?(\d+)\.(\d+)/.exec(runtimeVersion) ?? []).slice(1).map(Number);
  if (runtimeName === 'cri-o') return isAtLeast(major, minor, [1, 27]);
  if (runtimeName !== 'containerd') return true;
  if (!isAtLeast(major, minor, [1, 7])) return false;
  const { info } = await runtime.status({ verbose: true });
  return enablesCDI(info['config'] ?? '') ?? major >= 2;
}

const isAtLeast = (major: number, minor: number, [first, second]: readonly [number, number]): boolean =>
  major > first || (major === first && minor >= second);

function enablesCDI(config: string): boolean | undefined {
  try {
    return configSchema.parse(JSON.parse(config)).enableCDI;
  } catch {
    return undefined; // not every version reports its configuration
  }
}
