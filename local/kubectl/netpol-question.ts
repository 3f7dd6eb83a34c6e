import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { ipAddress } from '#lib/node/networkpolicy/address.ts';
import { PROTOCOLS, type Protocol } from '#lib/node/networkpolicy/policy.ts';
import { StartFault } from '../start-fault.ts';

/** A question about a connection. Each end is `NAME`, `NAMESPACE/NAME` or an address. */
export interface Question {
  readonly from: string;
  readonly to: string;
  /** A number, or the name of a port of the destination. */
  readonly port: number | string;
  readonly protocol: Protocol;
}

const NAME = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?';
const POD = new RegExp(`^(${NAME}/)?${NAME}$`);

/** Reads the arguments of the command. Throws StartFault. */
export function readQuestion(from: string, destination: string, protocolText: string): Question {
  const colon = destination.lastIndexOf(':');
  const portText = destination.slice(colon + 1);
  if (colon <= 0 || portText === '' || portText.endsWith(']') || ipAddress(destination) !== undefined)
    throw new StartFault(`${JSON.stringify(destination)} names no port: write POD:PORT, or [ADDRESS]:PORT for IPv6`);
  const protocol = PROTOCOLS.find((one) => one === protocolText.toUpperCase());
  if (protocol === undefined) throw new StartFault(`the protocol is one of ${PROTOCOLS.join(', ')}`);
  const port = /^\d+$/.test(portText) ? Number(portText) : portText;
  if (typeof port === 'number' && isValidPortNum(port).length > 0) throw new StartFault(`${portText} is no port`);
  return { from: endOf(from), to: endOf(destination.slice(0, colon)), port, protocol };
}

function endOf(text: string): string {
  const name = text.replace(/^\[(.*)\]$/, '$1').replace(/^pods?\//, '');
  if (ipAddress(name) === undefined && !POD.test(name))
    throw new StartFault(`${JSON.stringify(text)} is neither a pod (NAME or NAMESPACE/NAME) nor an address`);
  return name;
}
