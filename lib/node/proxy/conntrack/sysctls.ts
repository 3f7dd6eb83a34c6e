/** A kernel setting below `/proc/sys`. */
export interface KernelSetting {
  readonly name: string;
  readonly value: number;
  /** Whether to keep a greater value that the host already has. */
  readonly isMinimum: boolean;
}

/** The default limit of tracked flows per core, and the total's minimum and maximum, as in kube-proxy. */
const PER_CORE = 32 * 1024;
const LEAST = 128 * 1024;
const MOST = 1024 * 1024;
const HOUR = 3600;

/**
 * The connection tracking settings that Services need, with kube-proxy's defaults. A greater limit of the host stays (upstream:
 * SetSysctls).
 */
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

/** Whether the kernel's value has to change. */
export const isOther = ({ value, isMinimum }: KernelSetting, current: number): boolean =>
  isMinimum ? current < value : current !== value;
