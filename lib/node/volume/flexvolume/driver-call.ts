import type { RunProgram } from '#lib/machinery/execution.ts';
import { joinPath } from '../mount/path.ts';
import { type DriverStatus, decodeStatus, NotSupported } from './driver-status.ts';

/** Time-out of a call in milliseconds. Upstream only limits the wait for an attachment. */
const TIMEOUT = 120_000;
/** Time-outs in milliseconds of `init`, which pods may wait for, and of `waitforattach`. */
const TIMEOUTS = new Map([
  ['init', 10_000],
  ['waitforattach', 600_000],
]);

/** An installed driver: a program `VENDOR~DRIVER/DRIVER` in the driver directory. */
export class FlexDriver {
  /** In the form `vendor/driver`. */
  readonly name: string;
  readonly #path: string;
  readonly #run: RunProgram;
  readonly #unsupported = new Set<string>();

  /** `folder` is the driver's own directory, such as `/DIR/vendor~driver`. */
  constructor(folder: string, run: RunProgram) {
    const [own = ''] = folder.split('/').slice(-1);
    this.name = own.replaceAll('~', '/');
    this.#path = joinPath(folder, executableOf(own));
    this.#run = run;
  }

  /** Runs a command. Throws NotSupported if the driver does not have it, or an error with the driver's reason. */
  async call(command: string, ...args: readonly string[]): Promise<DriverStatus> {
    if (this.#unsupported.has(command)) throw new NotSupported();
    const timeout = TIMEOUTS.get(command) ?? TIMEOUT;
    const end = await this.#run({ path: this.#path, args: [command, ...args], env: [], stdin: '', timeout });
    const text = new TextDecoder().decode(end.stdout);
    if (end.failure === 'context deadline exceeded') throw new Error('timeout');
    if (end.isTooLong === true) throw new Error(end.failure);
    try {
      const status = decodeStatus(command, text === '' ? end.stderr : text);
      if (end.failure === undefined) return status;
    } catch (error) {
      if (error instanceof NotSupported) this.#unsupported.add(command);
      throw error;
    }
    throw new Error(end.failure); // it reports success, but exits with a failure
  }

  /** Like `call`, but undefined if the driver does not have the command. */
  async callIfSupported(command: string, ...args: readonly string[]): Promise<DriverStatus | undefined> {
    try {
      return await this.call(command, ...args);
    } catch (error) {
      if (error instanceof NotSupported) return undefined;
      throw error;
    }
  }
}

/** The name of the program in a driver's directory: the part after the vendor. */
export const executableOf = (folder: string): string => folder.split('~').at(-1) ?? folder;
