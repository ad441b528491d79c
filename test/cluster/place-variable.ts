/** The environment variable by which the tests learn where the cluster is, as JSON. */
export const CLUSTER_VARIABLE = 'PERDURE_TEST_CLUSTER'
