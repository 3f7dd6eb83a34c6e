import * as z from 'zod';
import { quote } from '#lib/machinery/go.ts';

/** The capabilities of a driver, with the defaults for missing ones. */
const capabilities = z.object({
  attach: z.boolean().default(true),
  selinuxrelabel: z.boolean().default(true),
  supportsmetrics: z.boolean().default(false),
  fsgroup: z.boolean().default(true),
  requiresfsresize: z.boolean().default(true),
});

const driverStatus = z.object({
  status: z.string().default(''),
  message: z.string().default(''),
  device: z.string().default(''),
  attached: z.boolean().default(false),
  capabilities: z.preprocess((value) => lowerCased(value ?? {}), capabilities),
});

/** The response of a driver. Names are in lower case, because drivers may use either case, as in Go. */
export type DriverStatus = z.infer<typeof driverStatus>;

/** The status for optional commands that a driver does not have. */
export const NOT_SUPPORTED = 'Not supported';

/** The error for a call that a driver does not have. */
export class NotSupported extends Error {
  constructor() {
    super(NOT_SUPPORTED);
  }
}

/** Parses the response to a command. Throws NotSupported, or an error with the driver's reason if the command failed. */
export function decodeStatus(command: string, output: string): DriverStatus {
  const answer = decoded(output);
  if (answer.status === 'Success') return answer;
  if (answer.status === NOT_SUPPORTED) throw new NotSupported();
  throw new Error(`${command} command failed, status: ${answer.status}, reason: ${answer.message}`);
}

function decoded(output: string): DriverStatus {
  const text = output.trim();
  if (text === '') throw new Error('unexpected end of JSON input');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`invalid answer of the driver: ${quote(text.slice(0, 200))}`, { cause: error });
  }
  const found = driverStatus.safeParse(lowerCased(value));
  if (found.success) return found.data;
  throw new Error(`invalid answer of the driver: ${found.error.issues.map(({ message }) => message).join(', ')}`);
}

function lowerCased(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
}
