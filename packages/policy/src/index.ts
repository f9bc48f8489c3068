export { judgeManifests, judgeRecording, policyRules } from "./judge.ts";
