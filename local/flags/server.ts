import { type Command, InvalidArgumentError, Option } from 'commander';
import { LOG_FORMATS, type LogFormat } from '#adapters/process/stderr-log.ts';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { SyncMode } from '../start-options.ts';

/** The server's address, and the location of its data. */
export interface ServerFlags {
  readonly host: string;
  readonly advertiseAddress?: string;
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory?: boolean;
  readonly sync: SyncMode;
  readonly verbose?: boolean;
  readonly logFormat?: LogFormat;
}

/** Adds the flags to the command. */
export function serverFlags(command: Command): Command {
  return command
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--advertise-address <ip>',
      "the address by which other machines reach the server; default --host, or the machine's first address",
      address,
    )
    .option('--port <number>', 'the port to listen on; 0 picks any free port', portNumber, 6443)
    .option('--data-dir <path>', 'the directory for all data', '.davit')
    .option('--in-memory', 'keep all data in memory; it is lost when the server stops')
    .addOption(
      new Option('--sync <mode>', 'when a write counts as durable').choices(['full', 'normal', 'off']).default('full'),
    )
    .option('-v, --verbose', 'log every request, not only those that fail or take longer than a second')
    .addOption(logFormatFlag());
}

/** The flag for the log format, which several commands have. */
export const logFormatFlag = (): Option =>
  new Option('--log-format <format>', 'the form of the log; default: text on a terminal, json otherwise').choices(
    LOG_FORMATS,
  );

function address(text: string): string {
  if (!isAddr(text)) throw new InvalidArgumentError('It is an IP address.');
  return text;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
