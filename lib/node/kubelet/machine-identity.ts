import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import type { MachineInfo } from './cadvisor.ts';

/** The file in the agent's directory that records the machine on which it was created. */
export const MACHINE_FILE = 'machine.json';

/** The machine that a disk belongs to. */
export type MachineIdentity = Pick<MachineInfo, 'machineID' | 'systemUUID'>;

/** The text of the file. */
export const machineIdentityText = ({ machineID, systemUUID }: MachineIdentity): string =>
  `${JSON.stringify({ machineID, systemUUID })}\n`;

/**
 * Whether the text of the file belongs to another machine, because the disk was copied. The text is undefined if the file does not exist.
 * Copies differ in the UUID of the (virtual) hardware, and in the machine id if it is generated again. A part that one of the machines
 * lacks is ignored. A truncated file counts as missing.
 */
export function isOfOtherMachine(text: string | undefined, now: MachineIdentity): boolean {
  const before = text === undefined ? {} : parsed(text);
  const differs = (field: keyof MachineIdentity): boolean => {
    const known = stringAt(before, field) ?? '';
    return known !== '' && now[field] !== '' && known !== now[field];
  };
  return differs('machineID') || differs('systemUUID');
}

function parsed(text: string): JsonObject {
  try {
    const { value } = decodeJson(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
