import { serverArguments } from './arguments.ts';

/*
 * Replaces kube-apiserver in controller-runtime's envtest, which first requests the help, to detect a server that is so old that it has an
 * insecure port.
 */
const given = process.argv.slice(2);
if (given.includes('--help')) console.log("davit in place of kube-apiserver; its flags are upstream's");
else {
  const { directory, flags } = serverArguments(given);
  process.argv.splice(2, given.length, ...flags);
  if (directory !== undefined) process.chdir(directory); // a kubeconfig is left there
  await import('../main.ts');
}
