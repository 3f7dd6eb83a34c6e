import { availableParallelism } from 'node:os';
import { readSysctl, writeSysctl } from '#adapters/node/host/machine/sysctl.ts';
import { conntrackSettings, isOther } from '#lib/node/proxy/conntrack/sysctls.ts';
import type { Log } from '../log.ts';
import type { ServiceProxySettings } from './proxy-options.ts';

/** Kernel settings without which packets do not reach Services, and the consequence of each. */
const NEEDED = [
  ['net/ipv4/ip_forward', 'packets of pods to Services are not forwarded'],
  ['net/bridge/bridge-nf-call-iptables', 'a pod does not reach pods of its own bridge by Services'],
] as const;

/**
 * Sets the kernel settings for connection tracking. Logs a setting that the kernel rejects, because some namespaces may not change every
 * setting.
 */
export async function setConntrack({ conntrackTCPBeLiberal }: ServiceProxySettings, log: Log): Promise<void> {
  for (const setting of conntrackSettings(availableParallelism(), conntrackTCPBeLiberal)) {
    const current = await readSysctl(setting.name);
    if (current === undefined || !isOther(setting, current)) continue;
    await writeSysctl(setting.name, setting.value).catch(log.fault(`cannot set ${setting.name} to ${setting.value}`));
  }
}

/** Logs kernel settings that block packets to Services. The pod network sets them. */
export async function warnOfKernel(log: Log): Promise<void> {
  for (const [name, loss] of NEEDED)
    if ((await readSysctl(name)) === 0) log.info(`${name.replaceAll('/', '.')} is 0: ${loss}`);
}
