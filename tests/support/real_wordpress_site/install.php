<?php
// Installs the site with one user for each role; prints their application passwords as JSON.
$_SERVER += ['HTTP_HOST' => '127.0.0.1', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/'];
define('WP_INSTALLING', true);
function wp_new_blog_notification() {}
require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
ob_start();
wp_install('Blog', 'administrator', 'administrator@example.com', true, '', getenv('TEST_PASSWORD'));
update_option('permalink_structure', '/%postname%/');
$passwords = [];
foreach (['administrator', 'author', 'contributor', 'subscriber'] as $role) {
    $user = get_user_by('login', $role);
    $id = $user ? $user->ID : wp_insert_user(
        ['user_login' => $role, 'user_pass' => wp_generate_password(), 'role' => $role, 'user_email' => "$role@example.com"]
    );
    $passwords[$role] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'tests'])[0];
}
ob_end_clean();
echo json_encode($passwords);
