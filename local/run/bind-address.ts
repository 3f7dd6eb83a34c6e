import { InvalidArgumentError } from 'commander';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';

/** The address to listen on. Without a host, it stands for all addresses. */
export interface BindAddress {
  readonly host?: string;
  readonly port: number;
}

/** Parses `HOST:PORT`, `[HOST]:PORT` or `:PORT`; `0` disables the listener. Throws InvalidArgumentError. */
export function bindAddress(text: string): BindAddress | undefined {
  if (text === '0') return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const [host, port] = [bracketed ?? plain ?? '', Number(digits)];
  if (digits === undefined || port > 65_535) throw new InvalidArgumentError('It is HOST:PORT or :PORT, or 0 for none.');
  return host === '' ? { port } : { host, port };
}

/** Formats the address as in the flag: `host:port`. */
export const addressText = ({ host = '', port }: BindAddress): string => joinHostPort(host, port);
