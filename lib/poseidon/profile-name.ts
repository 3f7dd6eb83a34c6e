/** The name by which pods ask for this scheduler, as Poseidon's `--schedulerName`. */
export const POSEIDON = 'poseidon';
