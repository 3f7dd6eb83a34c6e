import type { Clock } from '#lib/machinery/clock.ts';
import { type Run, runCommand } from '../programs/command.ts';

/** The addresses of EC2's metadata service. */
const ADDRESSES = ['ip daddr 169.254.169.254', 'ip6 daddr fd00:ec2::254'];
const TABLE = 'inet davit_metadata';
const HOOK = 'type filter hook forward priority -300; policy accept;';
/** One transaction, so that the rules are never absent. */
const INSTALL = [
  `add table ${TABLE}`,
  `delete table ${TABLE}`,
  `add table ${TABLE}`,
  `add chain ${TABLE} forward { ${HOOK} }`,
  ...ADDRESSES.map((address) => `add rule ${TABLE} forward ${address} drop`),
].join('; ');
/** Interval in ms between checks of the rules. */
const LOOK = 60_000;

/** The ports of a guard. */
export interface MetadataGuardPorts {
  readonly clock: Clock;
  /** Default: runs commands in this process's network namespace. */
  readonly run?: Run;
}

/**
 * Blocks pods from the instance's metadata service, and therefore from the instance's credentials. An nftables table drops forwarded
 * packets to the service. Packets of the host itself and of pods with the host's network pass.
 */
export class MetadataGuard {
  readonly #clock: Clock;
  readonly #run: Run;

  constructor({ clock, run = runCommand }: MetadataGuardPorts) {
    this.#clock = clock;
    this.#run = run;
  }

  /** Reinstalls the rules and checks that they exist. Rejects if they do not. The rules stay when the process ends. */
  async install(): Promise<void> {
    const { failure, output } = await this.#run('nft', [INSTALL]);
    if (failure !== undefined) throw new Error(`${FAULT}: nft: ${failure}: ${output.trim()}`);
    if (!(await this.#isThere())) throw new Error(`${FAULT}: nft does not list the rules that it has added`);
  }

  /** Reinstalls the rules whenever another program removes them, and reports each removal, until the signal aborts. */
  async keep(onFault: (error: unknown) => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(LOOK, signal);
      if (signal.aborted || (await this.#isThere())) continue;
      onFault(new Error('the rules that keep pods from the metadata of the instance were gone'));
      await this.install().catch(onFault);
    }
  }

  async #isThere(): Promise<boolean> {
    const { failure, output } = await this.#run('nft', ['-n', 'list', 'table', ...TABLE.split(' ')]);
    const lines = output.split('\n').map((line) => line.trim().replace('priority raw;', 'priority -300;'));
    const isOff = lines.some((line) => line.startsWith('flags'));
    const wanted = [HOOK, ...ADDRESSES.map((address) => `${address} drop`)];
    return failure === undefined && !isOff && wanted.every((line) => lines.includes(line));
  }
}

const FAULT = 'cannot keep pods from the metadata of the instance';
