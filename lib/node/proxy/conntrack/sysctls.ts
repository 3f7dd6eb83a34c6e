/** A setting of the kernel, below `/proc/sys`. */
export interface KernelSetting {
  readonly name: string;
  readonly value: number;
  /** Whether a greater value of the host's own stays. */
  readonly isMinimum: boolean;
}

/** Flows for each core, at least and at most: kube-proxy's defaults. */
const PER_CORE = 32 * 1024;
const LEAST = 128 * 1024;
const MOST = 1024 * 1024;
const HOUR = 3600;

/** The settings of connection tracking that Services need, as kube-proxy sets them by default. A greater limit of the host's own stays (upstream: SetSysctls). */
export function conntrackSettings(cores: number, isLiberal: boolean): readonly KernelSetting[] {
  const setting = (name: string, value: number, isMinimum = false): KernelSetting => ({
    name: `net/netfilter/nf_conntrack_${name}`,
    value,
    isMinimum,
  });
  return [
    setting('max', Math.min(Math.max(PER_CORE * cores, LEAST), MOST), true),
    setting('tcp_timeout_established', 24 * HOUR),
    setting('tcp_timeout_close_wait', HOUR),
    ...(isLiberal ? [setting('tcp_be_liberal', 1)] : []),
  ];
}

/** Whether the kernel's value has to be changed. */
export const isOther = ({ value, isMinimum }: KernelSetting, current: number): boolean =>
  isMinimum ? current < value : current !== value;
