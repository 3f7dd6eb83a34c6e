import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The files that $KUBECONFIG lists, in order. */
export const kubeconfigPaths = ({ KUBECONFIG = '' }: NodeJS.ProcessEnv): readonly string[] =>
  KUBECONFIG.split(delimiter).filter((path) => path !== '');

/** The file that kubectl reads without $KUBECONFIG. */
export const homeKubeconfig = (): string => join(homedir(), '.kube/config');

/**
 * The file that kubectl would write: the first existing file of $KUBECONFIG, or its first file if none exists. Without $KUBECONFIG, the
 * file in the home directory.
 */
export function writtenKubeconfig(env: NodeJS.ProcessEnv): string {
  const paths = kubeconfigPaths(env);
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? homeKubeconfig();
}
