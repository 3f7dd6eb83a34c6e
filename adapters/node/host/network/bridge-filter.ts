import { readSysctl, writeSysctl } from '../machine/sysctl.ts';
import { type Run, runCommand } from '../programs/command.ts';

/** Kernel settings that apply IPv4 and IPv6 rules to bridged traffic. */
export const BRIDGE_SETTINGS = ['net/bridge/bridge-nf-call-iptables', 'net/bridge/bridge-nf-call-ip6tables'] as const;

/** The access to the host that the settings need. */
export interface BridgeHost {
  /** Undefined if the kernel has no such setting. */
  read(setting: string): Promise<number | undefined>;
  /** Rejects if the kernel does not accept the value. */
  write(setting: string, value: number): Promise<void>;
  run: Run;
}

const HOST: BridgeHost = { read: readSysctl, write: writeSysctl, run: runCommand };

/** A setting whose value is not 1, and the reason. */
export interface BridgeFault {
  /** For example `net.bridge.bridge-nf-call-iptables`. */
  readonly setting: string;
  readonly error: unknown;
}

/**
 * Applies IP rules to bridged traffic, which Services and network policies require. Loads the kernel module if a setting is missing.
 * Returns the settings that could not be set. Never rejects.
 */
export async function filterBridges({ read, write, run }: BridgeHost = HOST): Promise<BridgeFault[]> {
  const values = await Promise.all(BRIDGE_SETTINGS.map(read));
  if (values.every((value) => value === 1)) return [];
  const isMissing = values.includes(undefined);
  const { failure, output } = isMissing ? await run('modprobe', ['br_netfilter']) : { output: '' };
  const faults: BridgeFault[] = [];
  for (const name of BRIDGE_SETTINGS)
    try {
      await write(name, 1);
    } catch (error) {
      const why = failure === undefined ? error : new Error(`modprobe br_netfilter: ${output.trim() || failure}`);
      faults.push({ setting: name.replaceAll('/', '.'), error: why });
    }
  return faults;
}
