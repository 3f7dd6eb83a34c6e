import { CniError, ERRORS } from './types.ts';

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const MAX_INTERFACE_NAME = 15;

/** Whether the name is a valid network name. */
export const isNetworkName = (name: string): boolean => NAME.test(name);

/** Throws CniError with libcni's message for an attachment with an invalid name. */
export function validateAttachment(network: string, containerId: string, ifName: string): void {
  if (containerId === '') throw new CniError(ERRORS.unknownContainer, 'missing containerID');
  if (!NAME.test(containerId))
    throw new CniError(ERRORS.invalidEnvironmentVariables, 'invalid characters in containerID', containerId);
  if (network === '') throw new CniError(ERRORS.invalidNetworkConfig, 'missing network name:');
  if (!NAME.test(network))
    throw new CniError(ERRORS.invalidNetworkConfig, 'invalid characters found in network name', network);
  validateInterfaceName(ifName);
}

function validateInterfaceName(name: string): void {
  const refused = (text: string, details = ''): CniError =>
    new CniError(ERRORS.invalidEnvironmentVariables, text, details);
  if (name === '') throw refused('interface name is empty');
  if (Buffer.byteLength(name) > MAX_INTERFACE_NAME)
    throw refused(
      'interface name is too long',
      `interface name should be less than ${MAX_INTERFACE_NAME + 1} characters`,
    );
  if (name === '.' || name === '..') throw refused('interface name is . or ..');
  if (/[/:\s]/.test(name)) throw refused('interface name contains / or : or whitespace characters');
}
